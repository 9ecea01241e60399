/** The feed of new offers (Atom, RFC 4287). */
import { FEED_PATH, offerPath } from '../../../base/paths.ts';
import { kindName } from '../../../marketplace/offers/offer.ts';
import { currentLanguage } from '../../../platform/languages/language.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { escapeXml } from '../../../platform/text/xml.ts';
import type { NewOffer } from './queries.ts';

export const FEED_LENGTH = 50;

interface FeedOptions {
  readonly name: string;
  readonly baseUrl: string;
  /** Newest first. */
  readonly offers: readonly NewOffer[];
}

export function atomFeed({ name, baseUrl, offers }: FeedOptions): string {
  const self = baseUrl + FEED_PATH;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${currentLanguage().code}">`,
    element('id', self),
    element('title', t('New offers · {name}', { name: isolated(name) })),
    element('updated', offers[0]?.since ?? toIso(0)),
    `<author>${element('name', name)}</author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(`${baseUrl}/`)}"/>`,
    ...offers.map((offer) => entryOf(offer, baseUrl)),
    '</feed>\n',
  ].join('\n');
}

function entryOf({ id, offer, kind, conditions, since, listing }: NewOffer, baseUrl: string): string {
  const address = baseUrl + offerPath(listing.slug, id);
  const summary = [listing.summary, conditions].filter((text) => text !== null).join('\n\n');
  return [
    '<entry>',
    element('id', `urn:uuid:${id}`),
    element('title', `${isolated(listing.name)}: ${isolated(offer)}`),
    `<link rel="alternate" type="text/html" href="${escapeXml(address)}"/>`,
    element('published', since),
    element('updated', since),
    `<author>${element('name', listing.owner)}</author>`,
    `<category term="${kind}" label="${kindName(kind)}"/>`,
    ...(summary === '' ? [] : [element('summary', summary)]),
    '</entry>',
  ].join('\n');
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
