/** The numbers by which compact rows, and the views of them, name other rows; for conditions. */
import { expressionBuilder } from 'kysely';
import type { Schema } from './schema.ts';

const { selectFrom } = expressionBuilder<Schema, never>();

export const numberOfAccount = (id: string) => selectFrom('accounts').select('number').where('id', '=', id);

export const numberOfOffer = (id: string) => selectFrom('offers').select('number').where('id', '=', id);
