/** Example mails, shown at Desk → Outbox → Email examples. */
import type { Marketplace } from '../../base/brand/marketplace.ts';
import type { Message } from '../../platform/languages/translate.ts';
import { timeTextWithZone } from '../../platform/text/time-zone.ts';
import type { MailWords } from './letter.ts';

const ID = '018f3c5e-0000-7000-8000-000000000001';

export const sampleValues = (baseUrl: string, { brand, plans }: Pick<Marketplace, 'brand' | 'plans'>) => ({
  baseUrl,
  brand,
  plan: plans.studio.name,
  id: ID,
  code: 'K7QX3M9TR0',
  listing: { id: ID, name: 'Calm Notes', slug: 'calm-notes', baseUrl },
  offer: { id: ID, offer: '20% off the first year', listing: 'Calm Notes', baseUrl },
  reason: 'The price on the page differs from the offer.',
  end: () => timeTextWithZone(brand.timeZone, '2026-12-03T10:00:00.000Z'),
});

type SampleValues = ReturnType<typeof sampleValues>;

type SampleMail<K extends string> = MailWords & {
  readonly kind: K;
  /** When the mail is sent, such as `An offer is claimed`. */
  readonly when: Message;
};

export interface SampledLetter<K extends string> {
  readonly samples: (values: SampleValues) => readonly SampleMail<K>[];
}

/** A function that writes a mail, with samples: kind (`always`: nobody can turn it off), occasion, arguments. */
export const letter = <A extends readonly unknown[]>(write: (...of: A) => MailWords) => ({
  withSamples: <K extends string>(
    samples: (values: SampleValues) => readonly (readonly [kind: K, when: Message, ...of: A])[],
  ): typeof write & SampledLetter<K> =>
    Object.assign(write, {
      samples: (values: SampleValues) =>
        samples(values).map(([kind, when, ...of]) => ({ ...write(...of), kind, when })),
    }),
});
