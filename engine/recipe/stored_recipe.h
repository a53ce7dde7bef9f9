#pragma once
// Declares recipes as members: a type that only stores one does not depend on its parameters.
#include <memory>

namespace scanloupe {

struct Recipe;

/// A recipe of its own, as a value behind a pointer. Headers of types that store one need not include
/// recipe.h, so that a change of the parameters recompiles only those sources that use some.
class StoredRecipe {
public:
    StoredRecipe(); ///< all parameters have their defaults
    StoredRecipe(const Recipe& recipe);
    StoredRecipe(const StoredRecipe& other); ///< also in place of a move: none is ever without a recipe
    StoredRecipe& operator=(const StoredRecipe& other);
    StoredRecipe& operator=(const Recipe& recipe);
    ~StoredRecipe();

    operator const Recipe&() const { return *m_recipe; }
    operator Recipe&() { return *m_recipe; }
    const Recipe& operator*() const { return *m_recipe; }
    Recipe& operator*() { return *m_recipe; }
    const Recipe* operator->() const { return m_recipe.get(); }
    Recipe* operator->() { return m_recipe.get(); }

    bool operator==(const StoredRecipe& other) const;
    bool operator==(const Recipe& recipe) const;

private:
    std::unique_ptr<Recipe> m_recipe;
};

} // namespace scanloupe
