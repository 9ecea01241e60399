/** People are addressed with “Sie”. */
export const GERMAN: Readonly<Record<string, string>> = {};
