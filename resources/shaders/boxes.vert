// Eight vertices a box, pulled from a buffer: the three faces that one can see take seven of them.
uniform usamplerBuffer boxes; // middle (bits of floats), colour
uniform vec3 edge;            // metres
flat out vec3 faceColour;
flat out int box;

// in units of the side towards the eye; the last three each belong to one face only, and colour it (they are the
// provoking vertices of both its triangles)
const vec3 kCorners[8] = vec3[8](vec3(1, 1, 1), vec3(-1, 1, 1), vec3(1, -1, 1), vec3(1, 1, -1), vec3(-1, -1, 1),
                                 vec3(-1, 1, -1), vec3(1, -1, -1), vec3(1, 1, 1));

void main() {
    box = gl_VertexID >> 3;
    int corner = gl_VertexID & 7;
    uvec4 data = texelFetch(boxes, box);
    vec3 middle = fromEye(uintBitsToFloat(data.xyz));
    vec3 towards = orthographic ? -axisForward : -middle;
    vec3 side = vec3(towards.x < 0.0 ? -1.0 : 1.0, towards.y < 0.0 ? -1.0 : 1.0, towards.z < 0.0 ? -1.0 : 1.0);

    // no box gets lost between the centres of pixels
    float along = orthographic ? 1.0 : max(dot(axisForward, middle), nearPlane);
    float pixels = max(edge.x, max(edge.y, edge.z)) * pixelScale / along;
    vec3 half_ = edge * (0.5 * max(1.0, 1.0 / pixels));
    gl_Position = clipPosition(middle + side * kCorners[corner] * half_);

    vec3 normal = side * vec3(corner == 6 ? 1.0 : 0.0, corner == 5 ? 1.0 : 0.0, corner == 4 ? 1.0 : 0.0);
    vec3 colour = colourMode == kUniform  ? kUniformColour
                  : colourMode == kValues ? mappedColour(uintBitsToFloat(data.w))
                                          : rgbOf(data.w);
    faceColour = colour * lightFactor(normal);
}
