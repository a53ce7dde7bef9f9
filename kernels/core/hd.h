#pragma once
// Defines HD, the one macro of the project: marks a function that is compiled for both host and device.
#if defined(__CUDACC__)
#define HD __host__ __device__
#else
#define HD
#endif
