layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uint bits; // of a value, or RGBA
out vec3 rel; // from the eye
out vec3 surfaceNormal;
out float value;
out vec3 rgb;

void main() {
    rel = fromEye(position);
    surfaceNormal = normal;
    value = colourMode == kValues ? uintBitsToFloat(bits) : 0.0;
    rgb = colourMode == kUniform ? kUniformColour : rgbOf(bits);
    gl_Position = clipPosition(rel);
}
