/** A path with the texts as its query; empty and missing texts are left out. */
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
