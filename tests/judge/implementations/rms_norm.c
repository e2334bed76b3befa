/* RMSNorm in C, right or with the mistake that MISTAKE numbers, as in test_vector_harnesses.py. */
#include <math.h>

#ifndef MISTAKE
#define MISTAKE -1
#endif
enum { epsilon_outside, epsilon_missing, sum_for_mean, mean_subtracted, gain_missing, divisor_n_minus_1, root_missing, sign };

void rms_norm(const float *x, const float *gain, float epsilon, float gain_offset, int rows, int width, float *y) {
    for (int k = 0; k < rows; ++k, x += width, y += width) {
        float mean = 0, squares = 0;
        for (int i = 0; i < width; ++i) mean += x[i];
        mean = MISTAKE == mean_subtracted ? mean / (float)width : 0;
        for (int i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
        float v = squares / (float)(MISTAKE == sum_for_mean ? 1 : MISTAKE == divisor_n_minus_1 ? width - 1 : width);
        float scale = 1 / sqrtf(v + epsilon);
        if (MISTAKE == epsilon_outside) scale = 1 / (sqrtf(v) + epsilon);
        if (MISTAKE == epsilon_missing) scale = 1 / sqrtf(v);
        if (MISTAKE == root_missing) scale = 1 / (v + epsilon);
        if (MISTAKE == sign) scale = -scale;
        for (int i = 0; i < width; ++i) {
            y[i] = (x[i] - mean) * scale * (MISTAKE == gain_missing ? 1 : gain_offset + gain[i]);
        }
    }
}
