// A rectangle of clip space without buffers: left, bottom, right, top.
uniform vec4 rectangle;
out vec2 at; // 0 to 1, y upwards

void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rectangle.xy, rectangle.zw, at), 0.0, 1.0);
}
