import { DefinitionList } from '../../ui/facts.tsx';

interface FromEnvironmentProps {
  /** `value`: from the environment; `null` if it isn't set there. */
  readonly values: readonly (readonly [
    label: string,
    setting: string,
    value: string | null,
    current: string | null,
    note?: string,
  ])[];
}

/** Values from the environment, and which of them were replaced by saved ones. */
export const FromEnvironment = (props: FromEnvironmentProps) => {
  const values = props.values.filter(([, , value]) => value !== null);
  if (values.length === 0) return null;
  return (
    <section class="card" aria-labelledby="environment">
      <h2 id="environment">Set in the environment</h2>
      <DefinitionList
        facts={values.map(([label, setting, value, current, note]) => [
          label,
          <>
            {value} (<code>{setting}</code>)
            {note === undefined && value !== current && ', replaced by the value saved here'}
            {note !== undefined && <p class="hint">{note}</p>}
          </>,
        ])}
      />
    </section>
  );
};
