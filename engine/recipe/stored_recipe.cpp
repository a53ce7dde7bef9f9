#include "engine/recipe/stored_recipe.h"

#include "engine/recipe/recipe.h"

namespace scanloupe {

StoredRecipe::StoredRecipe() : m_recipe(std::make_unique<Recipe>()) {}
StoredRecipe::StoredRecipe(const Recipe& recipe) : m_recipe(std::make_unique<Recipe>(recipe)) {}
StoredRecipe::StoredRecipe(const StoredRecipe& other) : StoredRecipe(*other.m_recipe) {}
StoredRecipe::~StoredRecipe() = default;

StoredRecipe& StoredRecipe::operator=(const StoredRecipe& other) {
    return *this = *other.m_recipe;
}
StoredRecipe& StoredRecipe::operator=(const Recipe& recipe) {
    *m_recipe = recipe;
    return *this;
}

bool StoredRecipe::operator==(const StoredRecipe& other) const {
    return *m_recipe == *other.m_recipe;
}
bool StoredRecipe::operator==(const Recipe& recipe) const {
    return *m_recipe == recipe;
}

} // namespace scanloupe
