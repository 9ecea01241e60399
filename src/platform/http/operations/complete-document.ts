/** What the generator of the OpenAPI document leaves out: shared parameters and responses, and examples of bodies. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { capital } from '../../text/text.ts';
import type { Method, Schema, Schemas } from './openapi-types.ts';

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** `problemName`: the name of an operation's error response as a component. */
export function completeDocument(
  document: Document,
  problemName: (operationId: string, status: number) => string,
): void {
  const methods = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path) as Method[]);
  const components = document.components as unknown as Components;
  share(
    components,
    'parameters',
    methods.flatMap(({ parameters = [] }) =>
      parameters.map((parameter, key) => {
        const { name, required, schema } = parameter;
        // The generator writes each description twice, and the default of `required`.
        delete schema.description;
        if (!required) delete parameter.required;
        return { holder: parameters, key, name: name.split('-').map(capital).join('') };
      }),
    ),
  );
  share(
    components,
    'responses',
    methods.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([key, { content = {} }]) => {
        const reference = content['application/json']?.schema.$ref;
        const isProblem = 'application/problem+json' in content;
        const name = isProblem ? problemName(operationId, Number(key)) : reference && nameOf(reference);
        return name === undefined ? [] : [{ holder: responses, key, name }];
      }),
    ),
  );
  for (const { requestBody } of methods) {
    for (const media of Object.values(requestBody?.content ?? {})) {
      const { schema } = media;
      media.example = exampleOf(
        schema.$ref === undefined ? schema : components.schemas[nameOf(schema.$ref)]!,
      );
    }
  }
}

type Components = { readonly schemas: Schemas } & Record<string, Record<string, unknown>>;

const nameOf = (reference: string): string => reference.split('/').at(-1)!;

interface Use {
  readonly holder: object;
  readonly key: string | number;
  readonly name: string;
}

/**
 * Replaces values that occur several times in the document by references to a component: the error responses of all
 * operations would be five sixths of the document. If values with the same name differ, the most frequent one becomes
 * the component.
 */
function share(components: Components, section: 'parameters' | 'responses', uses: readonly Use[]): void {
  const contentOf = ({ holder, key }: Use): unknown => holder[key as keyof typeof holder];
  const groups = [...Map.groupBy(uses, (use) => JSON.stringify(contentOf(use))).values()];
  const shared = components[section] ?? {};
  for (const group of groups.sort((one, other) => other.length - one.length)) {
    const [{ name }] = group as [Use];
    if (group.length === 1 || name in shared) continue;
    shared[name] = contentOf(group[0]!);
    for (const { holder, key } of group)
      Object.assign(holder, { [key]: { $ref: `#/components/${section}/${name}` } });
  }
  components[section] = shared;
}

/** The required members, and the members that have an example. */
function exampleOf({ properties = {}, required = [] }: Schema): Readonly<Record<string, unknown>> {
  const members = Object.entries(properties).filter(
    ([name, { example }]) => example !== undefined || required.includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, member.example ?? member.enum?.[0]]));
}
