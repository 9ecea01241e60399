/** A path with those of the texts as its query that are there; one that is empty is left out. */
export function pathWithQuery(
  path: string,
  texts: Readonly<Record<string, string | null | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(texts)) {
    if (text) query.set(name, text);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
