# SPDX-License-Identifier: MIT
"""Bessel functions, which OpenCL does not have, computed in f64.

Below 8 they are polynomials of x^2, from which zeros and logarithms are split off. From 8 on, those of the first and
second kind are a cosine and a sine, whose amplitudes are polynomials of (8/x)^2, and the modified ones are an
exponential function times a polynomial of 8/x. All polynomials interpolate at Chebyshev's nodes. Except for I0 and I1
below 8, their argument is mapped to the interval from -1 to 1, where rounding errors stay small. Coefficients begin
with the one of the highest power.

The error is a few ulps of f64 up to 8, except near the zeros of Y0 and Y1, and a few ulps of sqrt(2 / (pi x)) beyond.
"""

from __future__ import annotations

import triton.language as tl
from triton.runtime.jit import jit

from triton_xe.libdevice.dispatch import opencl

_exp = opencl("exp", "f64 -> f64")
_log = opencl("log", "f64 -> f64")
_sin = opencl("sin", "f64 -> f64")
_cos = opencl("cos", "f64 -> f64")
_sqrt = opencl("sqrt", "f64 -> f64")

_TWO_OVER_PI: tl.constexpr = tl.constexpr(0.6366197723675814)
_SQRT_ONE_OVER_PI: tl.constexpr = tl.constexpr(0.5641895835477563)
_NAN: tl.constexpr = tl.constexpr(float("nan"))
_INFINITY: tl.constexpr = tl.constexpr(float("inf"))

#: The first two zeros, each with its rounding error.
_J0_ZEROS: tl.constexpr = tl.constexpr(
    (2.404825557695773, -1.176691651530894e-16, 5.520078110286311, 8.088597146146722e-17)
)
_J1_ZEROS: tl.constexpr = tl.constexpr(
    (3.8317059702075125, -1.5269184090088067e-16, 7.015586669815619, -9.414165653410389e-17)
)

#: J0(x) / ((x^2 - z1^2) (x^2 - z2^2))
_J0_NEAR: tl.constexpr = tl.constexpr(
    (
        4.006178286297737e-16,
        -1.2482966637990574e-14,
        3.3923324014926297e-13,
        -8.023472603248695e-12,
        1.627648945732473e-10,
        -2.7948629678312687e-09,
        3.9988393454959875e-08,
        -4.677128021300755e-07,
        4.366932324640601e-06,
        -3.157342540223544e-05,
        0.00016977200713997844,
        -0.0006415390646406123,
        0.0015636431645931661,
        -0.002119794289479692,
        0.0011434937743762545,
    )
)

#: J1(x) / (x (x^2 - z1^2) (x^2 - z2^2))
_J1_NEAR: tl.constexpr = tl.constexpr(
    (
        -3.9096323215705757e-16,
        1.1384465070771561e-14,
        -2.8755334378568987e-13,
        6.2846769866729685e-12,
        -1.169693248966763e-10,
        1.8268548082869076e-09,
        -2.352192254597121e-08,
        2.442522260616403e-07,
        -1.9890935159142006e-06,
        1.224217365301787e-05,
        -5.4080032390855064e-05,
        0.00015860016799369858,
        -0.0002697522746716368,
        0.00019498936985895625,
    )
)

#: Y0(x) - 2/pi log(x) J0(x)
_Y0_NEAR: tl.constexpr = tl.constexpr(
    (
        -8.838468394309022e-13,
        2.6926937109987802e-11,
        -7.130468040126112e-10,
        1.6390875017619395e-08,
        -3.218507833909702e-07,
        5.321318810394401e-06,
        -7.279541882544516e-05,
        0.00080615860596164,
        -0.007025741057270546,
        0.046367047681375125,
        -0.2189574709617164,
        0.6721770783431679,
        -1.0775477338215995,
        0.14412632369302475,
        1.6470964788745466,
        -0.8284358903604587,
        -0.382250654459425,
    )
)

#: (Y1(x) - 2/pi (log(x) J1(x) - 1/x)) / x
_Y1_NEAR: tl.constexpr = tl.constexpr(
    (
        -2.6946935633741497e-14,
        8.760000901470383e-13,
        -2.4887527719058385e-11,
        6.169688029976363e-10,
        -1.3153322522176987e-08,
        2.3804930420500538e-07,
        -3.6009998743823114e-06,
        4.4674330126463756e-05,
        -0.00044381734351148726,
        0.0034224907399188495,
        -0.019628756833099427,
        0.07854786922242532,
        -0.19639839859930425,
        0.23507209206669755,
        0.023367571720993584,
        -0.24337743079193114,
        0.07075985882118005,
    )
)

#: of the cosine in J0
_P0: tl.constexpr = tl.constexpr(
    (
        3.2274659236696375e-14,
        -1.0240462527458219e-13,
        2.486651879170221e-13,
        -1.0160586409351026e-12,
        4.7832464504070676e-12,
        -2.4911156906092825e-11,
        1.5500758850965851e-10,
        -1.2121099519052884e-09,
        1.2803760990761632e-08,
        -2.0527448258799454e-07,
        6.137416080147722e-06,
        -0.0005363673192129684,
        0.9994572757882519,
    )
)

#: of the sine in J0, divided by 8/x
_Q0: tl.constexpr = tl.constexpr(
    (
        2.0327835201955902e-15,
        -5.05803415691077e-15,
        5.106678984026469e-15,
        -1.64697103261025e-14,
        6.900332036608468e-14,
        -2.341397180046064e-13,
        8.602315982558679e-13,
        -3.5884456577405732e-12,
        1.7032949455437694e-11,
        -9.47041158664035e-11,
        6.432781987478788e-10,
        -5.668716049240259e-09,
        7.10621485915512e-08,
        -1.4771388326499655e-06,
        6.833149099343896e-05,
        -0.015555113879513518,
    )
)

#: of the cosine in J1
_P1: tl.constexpr = tl.constexpr(
    (
        -3.4273425511664546e-14,
        1.0911783467601572e-13,
        -2.668914316041983e-13,
        1.0958092927251801e-12,
        -5.1871998149145174e-12,
        2.7234187811287063e-11,
        -1.713127898085761e-10,
        1.360297066536911e-09,
        -1.470851251614582e-08,
        2.45367663311693e-07,
        -7.959694698478657e-06,
        0.0008988049416705195,
        1.0009070262780821,
    )
)

#: of the sine in J1, divided by 8/x
_Q1: tl.constexpr = tl.constexpr(
    (
        5.093381730784018e-15,
        -1.3419652685122838e-14,
        1.8370749899635615e-14,
        -6.154174237314398e-14,
        2.4914316871937574e-13,
        -9.33020006505065e-13,
        3.876268151236579e-12,
        -1.8520806488547767e-11,
        1.0395068460328534e-10,
        -7.151113407635711e-10,
        6.4201325429831086e-09,
        -8.291960701565042e-08,
        1.8212018512285427e-06,
        -9.621458822054624e-05,
        0.04677687402744898,
    )
)

#: I0(x)
_I0_NEAR: tl.constexpr = tl.constexpr(
    (
        3.628717841894065e-09,
        3.6413317902147967e-08,
        6.89053863857937e-07,
        9.455472844015629e-06,
        0.00011617641582340664,
        0.0012267487092378652,
        0.01104101889347772,
        0.08349754515975688,
        0.521859725517979,
        2.641914838819161,
        10.567659360300816,
        32.36345679008222,
        72.81777777778234,
        113.77777777777744,
        113.77777777777779,
        64.0,
        16.0,
        1.0,
    )
)

#: I1(x) / x
_I1_NEAR: tl.constexpr = tl.constexpr(
    (
        1.928008800276396e-09,
        1.8210797272923477e-08,
        3.229551688329521e-07,
        4.136909487874102e-06,
        4.719637752887761e-05,
        0.00046003116317227947,
        0.0037953498681741467,
        0.02609298311780895,
        0.14677304767644878,
        0.660478709749419,
        2.3116754850544488,
        6.068148148142433,
        11.377777777778249,
        14.222222222222198,
        10.666666666666668,
        4.0,
        0.5,
    )
)

#: exp(-x) sqrt(x) I0(x)
_I0_FAR: tl.constexpr = tl.constexpr(
    (
        -7.06893851181878e-11,
        -1.9216763724933513e-11,
        5.181936971288284e-10,
        1.4672236659214398e-10,
        -1.7789375042917173e-09,
        -5.562201990080394e-10,
        3.881151253996067e-09,
        1.497880830187091e-09,
        -6.188265090497361e-09,
        -3.4857887470034955e-09,
        7.58022133915272e-09,
        7.540601378890834e-09,
        -5.4685974495866e-09,
        -1.3404241991980871e-08,
        -6.729724111923548e-09,
        7.553516470355896e-09,
        2.1545177650836005e-08,
        3.932602459703109e-08,
        8.87225351128584e-08,
        2.973598432479169e-07,
        1.4838475473607391e-06,
        1.1143033791556743e-05,
        0.00013621607439232746,
        0.003360551983667854,
        0.4021765094450081,
    )
)

#: exp(-x) sqrt(x) I1(x)
_I1_FAR: tl.constexpr = tl.constexpr(
    (
        7.347992441734663e-11,
        1.7502497778701306e-11,
        -5.388285995923524e-10,
        -1.342266320082222e-10,
        1.8513716745511988e-09,
        5.146498826087142e-10,
        -4.047785403711858e-09,
        -1.4171698018664596e-09,
        6.4870195719816896e-09,
        3.406636130196794e-09,
        -8.044231276166508e-09,
        -7.630751970065577e-09,
        6.040877342160988e-09,
        1.4029693589852716e-08,
        6.715795128085017e-09,
        -8.426622829598154e-09,
        -2.337059627111857e-08,
        -4.312935369971356e-08,
        -1.0001323461066435e-07,
        -3.483855609009937e-07,
        -1.8349101134666435e-06,
        -1.5038547201176271e-05,
        -0.00021923576383430274,
        -0.009749577193235728,
        0.38939845902587233,
    )
)


@jit
def _polynomial(t, COEFFICIENTS: tl.constexpr):
    result = tl.full(t.shape, COEFFICIENTS[0], tl.float64)
    for i in tl.static_range(1, len(COEFFICIENTS)):
        result = result * t + COEFFICIENTS[i]
    return result


@jit
def _over_zeros(x, ZEROS: tl.constexpr):
    """Return (x^2 - z1^2) (x^2 - z2^2) without cancellation."""
    first = ((x - ZEROS[0]) - ZEROS[1]) * (x + ZEROS[0])
    second = ((x - ZEROS[2]) - ZEROS[3]) * (x + ZEROS[2])
    return first * second


@jit
def _near(x, is_near):
    """Return arguments below 8, others as 1, and the variable of the polynomials in their squares."""
    near = tl.where(is_near, x, 1.0)
    return near, near * near * 0.03125 - 1.0


@jit
def _modified_near(x, COEFFICIENTS: tl.constexpr):
    """Return a polynomial of (x/8)^2. Its coefficients are positive, so that it is accurate where it is small."""
    part = tl.where(x < 8.0, x, 1.0) * 0.125
    return _polynomial(part * part, COEFFICIENTS)


@jit
def _waves(x, P: tl.constexpr, Q: tl.constexpr):
    """Return the products of the amplitudes P and Q with sin(x) + cos(x) and sin(x) - cos(x), for x from 8 on.

    These are sqrt(2) times the cosine and the sine of x - pi/4.
    """
    far = tl.where((x >= 8.0) & (x < _INFINITY), x, 8.0)
    w = 8.0 / far
    t = 2.0 * (w * w) - 1.0
    scale = _SQRT_ONE_OVER_PI / _sqrt(far)
    p = scale * _polynomial(t, P)
    q = scale * w * _polynomial(t, Q)
    sine = _sin(far)
    cosine = _cos(far)
    return p, q, sine + cosine, sine - cosine


@jit
def _at_limits(x, result, at_infinity):
    """Return `result` with the value for infinity, and NaN for NaN."""
    result = tl.where(x == _INFINITY, at_infinity, result)
    return tl.where(x == x, result, x)


@jit
def _second_kind(x, result):
    """Return `result` with the values of functions of the second kind at 0, at infinity, and for negative numbers."""
    result = tl.where(x == 0, -_INFINITY, result)
    result = tl.where(x < 0, _NAN, result)
    return _at_limits(x, result, 0.0)


@jit
def _j0_near(near, t):
    return _over_zeros(near, _J0_ZEROS) * _polynomial(t, _J0_NEAR)


@jit
def _j1_near(near, t):
    return near * (_over_zeros(near, _J1_ZEROS) * _polynomial(t, _J1_NEAR))


@jit
def j0(x, TYPE: tl.constexpr):
    wide = tl.abs(x.to(tl.float64))
    near, t = _near(wide, wide < 8.0)
    p, q, cosine, sine = _waves(wide, _P0, _Q0)
    result = tl.where(wide < 8.0, _j0_near(near, t), p * cosine - q * sine)
    return _at_limits(wide, result, 0.0).to(TYPE)


@jit
def j1(x, TYPE: tl.constexpr):
    signed = x.to(tl.float64)
    wide = tl.abs(signed)
    near, t = _near(wide, wide < 8.0)
    p, q, cosine, sine = _waves(wide, _P1, _Q1)
    result = tl.where(wide < 8.0, _j1_near(near, t), p * sine + q * cosine)
    result = _at_limits(wide, result, 0.0)
    return tl.where(signed < 0, -result, tl.where(signed == 0, signed, result)).to(TYPE)


@jit
def y0(x, TYPE: tl.constexpr):
    wide = x.to(tl.float64)
    near, t = _near(wide, (wide > 0) & (wide < 8.0))
    below = _TWO_OVER_PI * _log(near) * _j0_near(near, t) + _polynomial(t, _Y0_NEAR)
    p, q, cosine, sine = _waves(wide, _P0, _Q0)
    result = tl.where(wide < 8.0, below, p * sine + q * cosine)
    return _second_kind(wide, result).to(TYPE)


@jit
def y1(x, TYPE: tl.constexpr):
    wide = x.to(tl.float64)
    near, t = _near(wide, (wide > 0) & (wide < 8.0))
    below = _TWO_OVER_PI * (_log(near) * _j1_near(near, t) - 1.0 / near) + near * _polynomial(t, _Y1_NEAR)
    p, q, cosine, sine = _waves(wide, _P1, _Q1)
    result = tl.where(wide < 8.0, below, q * sine - p * cosine)
    return _second_kind(wide, result).to(TYPE)


@jit
def _modified_far(x, COEFFICIENTS: tl.constexpr):
    """Return exp(x) / sqrt(x) times a polynomial; the root of the exponential function is in its range for longer."""
    far = tl.where(x >= 8.0, tl.minimum(x, 1000.0), 8.0)
    half = _exp(0.5 * far)
    return half * (half * (_polynomial(16.0 / far - 1.0, COEFFICIENTS) / _sqrt(far)))


@jit
def cyl_bessel_i0(x, TYPE: tl.constexpr):
    wide = tl.abs(x.to(tl.float64))
    result = tl.where(wide < 8.0, _modified_near(wide, _I0_NEAR), _modified_far(wide, _I0_FAR))
    return _at_limits(wide, result, _INFINITY).to(TYPE)


@jit
def cyl_bessel_i1(x, TYPE: tl.constexpr):
    signed = x.to(tl.float64)
    wide = tl.abs(signed)
    result = tl.where(wide < 8.0, wide * _modified_near(wide, _I1_NEAR), _modified_far(wide, _I1_FAR))
    result = _at_limits(wide, result, _INFINITY)
    return tl.where(signed < 0, -result, tl.where(signed == 0, signed, result)).to(TYPE)
