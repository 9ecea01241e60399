import type { Brand } from '../../base/brand/brand.ts';
import { CONFIRM_WAITING_PATH, offerPath, STOP_WAITING_PATH } from '../../base/paths.ts';
import { type MailWords, verbatim } from '../../people/mail/letter.ts';
import { letter } from '../../people/mail/samples.ts';
import { message } from '../../platform/languages/translate.ts';
import type { WaitedOffer } from './waiting-list.ts';

type Named = Pick<Brand, 'name'>;

export const confirmWaiting = letter(
  (
    { name }: Named,
    { offer, listing }: Pick<WaitedOffer, 'offer' | 'listing'>,
    { confirmUrl, stopUrl }: Readonly<Record<'confirmUrl' | 'stopUrl', string>>,
  ): MailWords => ({
    subject: message('Do you want to hear about {offer}?', { offer }),
    letter: [
      message(
        'Confirm that {name} may send you one email as soon as “{offer}” from {listing} can be claimed.',
        { name: verbatim(name), offer, listing },
      ),
      { link: message('Yes, email me'), href: confirmUrl },
      message(
        'The link works for 24 hours. If you didn’t ask for this email, ignore it. Your address will be deleted, and you won’t get any more email.',
      ),
    ],
    stopUrl,
  }),
).withSamples(({ baseUrl, brand, offer }) => [
  [
    'always',
    message('Someone who isn’t signed in joins the waiting list of an offer'),
    brand,
    offer,
    {
      confirmUrl: `${baseUrl}${CONFIRM_WAITING_PATH}/example`,
      stopUrl: `${baseUrl}${STOP_WAITING_PATH}/example`,
    },
  ],
]);

/** The only email to a person who waits. The person has been deleted from the list when it is sent. */
export const offerIsOpen = letter(
  (baseUrl: string, { name }: Named, waited: WaitedOffer, stopUrl: string): MailWords => {
    const { id, offer, listing, slug } = waited;
    return {
      subject: message('You can claim {offer} now', { offer }),
      letter: [
        message('You asked {name} to tell you when “{offer}” from {listing} can be claimed: now it can.', {
          name: verbatim(name),
          offer,
          listing,
        }),
        { link: message('Go to the offer'), href: `${baseUrl}${offerPath(slug, id)}` },
        message(
          'This is the only email about it: your address has been deleted from the waiting list. If the offer is full again, you can rejoin the list.',
        ),
      ],
      stopUrl,
    };
  },
).withSamples(({ baseUrl, brand, offer, listing }) => [
  [
    'always',
    message('An offer with a waiting list can be claimed'),
    baseUrl,
    brand,
    { ...offer, slug: listing.slug },
    `${baseUrl}${STOP_WAITING_PATH}/example`,
  ],
]);
