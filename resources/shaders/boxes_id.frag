uniform uint firstItem;
flat in int box;
out uint item; // 0: nothing

void main() { item = firstItem + uint(box) + 1u; }
