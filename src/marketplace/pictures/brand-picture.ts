import type { Theme } from '../../base/brand/brand.ts';
import type { Context } from '../../base/context.ts';
import { appendSettingsEvent, type SettingsChange } from '../../base/settings/change-settings.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import type { EncodedFile } from './encode.ts';
import { marketplaceIn } from './picture.ts';
import { deletePicturesOf } from './queries.ts';
import { putPicture } from './store.ts';

export interface BrandPicture {
  readonly kind: 'logo' | 'icon';
  readonly theme: Theme;
}

const NAMES: Readonly<Record<BrandPicture['kind'], Readonly<Record<Theme, Message>>>> = {
  logo: { light: message('Logo'), dark: message('Logo for dark themes') },
  icon: { light: message('Icon'), dark: message('Icon for dark themes') },
};

/** Takes effect immediately in this process and within a second in others. `files`: `null` removes the picture. */
export async function changeBrandPicture(
  context: Context,
  input: SettingsChange & BrandPicture & { readonly files: readonly EncodedFile[] | null },
): Promise<void> {
  const { kind, theme, files } = input;
  const subject = marketplaceIn(theme);
  const { db } = context;
  await db.transaction(async (tx) => {
    await DIALECTS[db.engine].takeLock(tx, subject.id);
    const isChanged =
      files === null
        ? await deletePicturesOf(tx, [subject.id], kind)
        : await putPicture(context, tx, { subject, kind, files });
    if (!isChanged) return;
    const name = String(NAMES[kind][theme]);
    const change = { name, picture: files === null ? 'removed' : 'new' } as const;
    await appendSettingsEvent(context, tx, input, [change]);
  });
  await context.marketplace.reload();
}
