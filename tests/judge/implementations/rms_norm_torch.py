"""RMSNorm composed of PyTorch's own operations, in the arithmetic of binary32 or wider."""

import torch


def rms_norm(x, gain, epsilon, gain_offset):
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    y = x.to(wide)
    y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + epsilon)
    return (y * (gain_offset + gain.to(wide))).to(x.dtype)
