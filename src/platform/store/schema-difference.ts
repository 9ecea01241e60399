/** A table, index, trigger or other object, with the SQL or catalog entries that define it. */
export interface SchemaObject {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

const MAX_NAME = 60;

/** Describes the first foreign, different or missing object. `optional` objects may be missing. */
export function differenceOf(
  objects: readonly SchemaObject[],
  expected: readonly SchemaObject[],
  optional: readonly SchemaObject[] = [],
): string | null {
  const definitions = new Map(
    [...expected, ...optional].map((object) => [keyOf(object), object.definition] as const),
  );
  for (const object of objects) {
    const definition = definitions.get(keyOf(object));
    if (definition === undefined) return `has ${nameOf(object)}, which Claimcheck did not create`;
    if (definition !== object.definition) return `has ${nameOf(object)} with a different definition`;
  }
  const existing = new Set(objects.map(keyOf));
  const missing = expected.find((object) => !existing.has(keyOf(object)));
  return missing === undefined ? null : `lacks ${nameOf(missing)}`;
}

const keyOf = ({ kind, name }: SchemaObject): string => `${kind} ${name}`;

/** The name comes from the database: quoting it escapes control characters. */
const nameOf = ({ kind, name }: SchemaObject): string =>
  `the ${kind} ${JSON.stringify(name.slice(0, MAX_NAME))}`;
