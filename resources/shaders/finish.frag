// Eye-dome lighting (Boucheny, 2009), as the software rasterizer has it.
uniform sampler2D picture;
uniform sampler2D depth; // reversed, 0: background
uniform float strength;
uniform bool orthographic;
uniform float nearPlane, farPlane;
in vec2 at;
out vec4 colour;

const float kFarthest = -1e9, kLargestStep = 0.05;

float nearness(ivec2 pixel) {
    float d = texelFetch(depth, pixel, 0).r;
    if (d <= 0.0)
        return kFarthest;
    return orthographic ? -log2(farPlane - d * (farPlane - nearPlane)) : log2(d);
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(depth, 0) - 1;
    vec3 own = texelFetch(picture, pixel, 0).rgb;
    float here = nearness(pixel), steps = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            steps += clamp(nearness(clamp(pixel + ivec2(x, y), ivec2(0), last)) - here, 0.0, kLargestStep);
    float darkness = steps * strength * 12.0;
    colour = vec4(own / (1.0 + darkness + 0.5 * darkness * darkness), 1.0);
}
