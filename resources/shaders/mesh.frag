uniform float shade; // factor on the colour: edges are darker than faces
in vec3 rel;
in vec3 surfaceNormal;
in float value;
in vec3 rgb;
flat in vec3 classColour;
out vec4 colour;

void main() {
    vec3 towards = orthographic ? -axisForward : -rel;
    vec3 normal = dot(surfaceNormal, surfaceNormal) > 0.0025 ? surfaceNormal : cross(dFdx(rel), dFdy(rel));
    normal = normalize(dot(normal, towards) < 0.0 ? -normal : normal);
    vec3 own = colourMode == kValues ? mappedColour(value) : colourMode == kClasses ? classColour : rgb;
    colour = vec4(own * (lightFactor(normal) * shade), 1.0);
}
