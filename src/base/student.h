/* Student's t distribution, for intervals from few samples. */
#pragma once

/* The two-sided 95 % quantile by Cornish-Fisher expansion, within 1 % from 3 degrees of freedom on;
 * with fewer it is too small, as the expansion is. */
double student_quantile(double freedom);
