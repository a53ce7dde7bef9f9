#pragma once
// Defines HD, which marks a function that is compiled for both host and device. It is the only macro of the
// project.
#if defined(__CUDACC__)
#define HD __host__ __device__
#else
#define HD
#endif
