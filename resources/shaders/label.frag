uniform sampler2D image; // premultiplied, first row on top
in vec2 at;
out vec4 colour;

void main() { colour = texture(image, vec2(at.x, 1.0 - at.y)); }
