"""RMSNorm in PyTorch that rounds the normalized value before the gain, as models in bfloat16 do."""

import torch


def rms_norm(x, gain, epsilon, gain_offset):
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    y = x.to(wide)
    y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + epsilon)
    return (gain_offset + gain) * y.to(x.dtype)
