/** Parses the initial brand. Operators can change the brand at the desk. */
import { BRAND_FIELDS, BRAND_PARSERS, type Brand, DEFAULT_BRAND } from '../../base/brand/brand.ts';
import { invalid, Refusal, tried } from '../../platform/errors.ts';
import { type Complain, quote, type ReadSetting } from './setting.ts';

const PARSERS: { readonly [Field in keyof Brand]: (text: string) => Brand[Field] } = {
  ...BRAND_PARSERS,
  asksConsent: parseSwitch,
  showsSoftware: parseSwitch,
};

export function parseFirstBrand(setting: ReadSetting, complain: Complain): Brand {
  const firstOf = (field: keyof Brand) => {
    const [, name] = BRAND_FIELDS[field];
    const text = setting(name);
    if (text === null) return DEFAULT_BRAND[field];
    const value = tried(() => PARSERS[field](text));
    if (!(value instanceof Refusal)) return value;
    complain(`${name}: ${value.message}`);
    return DEFAULT_BRAND[field];
  };
  const fields = Object.keys(DEFAULT_BRAND) as (keyof Brand)[];
  return { ...DEFAULT_BRAND, ...Object.fromEntries(fields.map((field) => [field, firstOf(field)])) };
}

function parseSwitch(text: string): boolean {
  if (text !== 'true' && text !== 'false') {
    throw invalid(`The value must be true or false; found ${quote(text)}.`);
  }
  return text === 'true';
}
