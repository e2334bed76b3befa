// RMSNorm in Rust.
pub fn rms_norm(x: &[f32], gain: &[f32], epsilon: f32, gain_offset: f32, rows: usize, width: usize) -> Vec<f32> {
    let mut y = Vec::with_capacity(rows * width);
    for row in x.chunks(width) {
        let squares: f32 = row.iter().map(|value| value * value).sum();
        let scale = 1.0 / (squares / width as f32 + epsilon).sqrt();
        y.extend(row.iter().zip(gain).map(|(value, g)| value * scale * (gain_offset + g)));
    }
    y
}
