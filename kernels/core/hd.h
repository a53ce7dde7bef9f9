#pragma once
// The one macro of the project: a function that both the host's and the device's compiler take.
#if defined(__CUDACC__)
#define HD __host__ __device__
#else
#define HD
#endif
