const int kUniform = 0, kValues = 1, kClasses = 3;
uniform int colourMode;
uniform vec2 limits; // low, high
uniform sampler2D colourMap; // 256 x 1
const vec3 kUniformColour = vec3(200.0 / 255.0);

vec3 mappedColour(float value) {
    if (isnan(value))
        return kUniformColour;
    float extent = limits.y - limits.x;
    float t = extent > 0.0 ? (value - limits.x) / extent * 256.0 : 0.0;
    return texelFetch(colourMap, ivec2(int(clamp(t, 0.0, 255.0)), 0), 0).rgb;
}

vec3 rgbOf(uint bits) {
    return vec3(bits & 255u, bits >> 8 & 255u, bits >> 16 & 255u) / 255.0;
}
