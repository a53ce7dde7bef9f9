uniform float shade; // factor on the colour: edges are darker than faces
in vec3 rel;
in vec3 surfaceNormal;
in float value;
in vec3 rgb;
out vec4 colour;

void main() {
    vec3 towards = orthographic ? -axisForward : -rel;
    vec3 normal = dot(surfaceNormal, surfaceNormal) > 0.0025 ? surfaceNormal : cross(dFdx(rel), dFdy(rel));
    normal = normalize(dot(normal, towards) < 0.0 ? -normal : normal);
    vec3 own = colourMode == kValues ? mappedColour(value) : rgb;
    colour = vec4(own * (lightFactor(normal) * shade), 1.0);
}
