flat in vec3 faceColour;
out vec4 colour;

void main() { colour = vec4(faceColour, 1.0); }
