// Source of the targets that only hold precompiled headers.
int main() {
    return 0;
}
