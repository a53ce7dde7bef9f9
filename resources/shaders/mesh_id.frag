uniform uint firstItem;
out uint item; // 0: nothing

void main() { item = firstItem + uint(gl_PrimitiveID) + 1u; }
