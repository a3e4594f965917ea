#include "base/student.h"

double student_quantile(double freedom)
{
    return 1.96 + 2.372 / freedom + 2.823 / (freedom * freedom) +
           2.556 / (freedom * freedom * freedom);
}
