layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in uint bits; // of a value, or RGBA
out vec3 rel; // from the eye
out vec3 surfaceNormal;
out float value;
out vec3 rgb;
flat out vec3 classColour; // of one corner for all of a triangle: there is nothing between two classes

void main() {
    rel = fromEye(position);
    surfaceNormal = normal;
    value = colourMode == kValues ? uintBitsToFloat(bits) : 0.0;
    rgb = colourMode == kUniform ? kUniformColour : rgbOf(bits);
    classColour = rgb;
    gl_Position = clipPosition(rel);
}
