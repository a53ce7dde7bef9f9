// The camera, as the software rasterizer has it: positions relative to the eye, whose coordinates are split into two
// floats; then along the view's axes. Depth is reversed: 1 at the near plane, falling to 0.
uniform vec3 eyeHigh, eyeLow;
uniform vec3 axisRight, axisDown, axisForward;
uniform vec2 clipScale; // clip units per unit of slope (perspective) or per metre (orthographic)
uniform float pixelScale; // pixels, likewise
uniform float nearPlane, farPlane; // metres; far: orthographic only
uniform bool orthographic;
uniform bool zeroToOne; // clip depth runs from 0 to 1, else from -1 to 1
uniform float depthBias; // part by which depth is moved towards the eye
uniform vec3 toLight;
uniform bool light;

vec3 fromEye(vec3 position) { return (position - eyeHigh) - eyeLow; }

vec4 clipPosition(vec3 rel) {
    float along = dot(axisForward, rel);
    float w = orthographic ? 1.0 : along;
    float depth = (orthographic ? (farPlane - along) / (farPlane - nearPlane) : nearPlane) * (1.0 + depthBias);
    return vec4(dot(axisRight, rel) * clipScale.x, -dot(axisDown, rel) * clipScale.y,
                zeroToOne ? depth : 2.0 * depth - w, w);
}

// Light adds up in linear light; colours are sRGB, whose curve is taken as a square.
float lightFactor(vec3 normal) {
    const float ambient = 0.16;
    return light ? sqrt(ambient + (1.0 - ambient) * max(dot(normal, toLight), 0.0)) : 1.0;
}
