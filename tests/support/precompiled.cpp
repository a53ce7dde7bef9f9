// Source of the targets that only consist of precompiled headers.
int main() {
    return 0;
}
