// The first so many names are told apart, all others are one: what watches us must not fill up because somebody
// invents names.

const OTHER = 'other';

export function createBoundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most) return OTHER;
    known.add(name);
    return name;
  };
}
