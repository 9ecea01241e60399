import { TOUCH_ICON_PATH } from '../../base/paths.ts';
import { accentsOf } from '../../platform/colour/accent.ts';
import { DARK, LIGHT } from '../../platform/colour/palette.ts';
import {
  filesOf,
  PICTURE_TYPES,
  picturePath,
  type ThemedPicture as ThemedFiles,
} from '../../platform/network/picture-address.ts';
import { accentSheet, iconOf, MORE_STYLE_SHEETS, STYLE_SHEET } from './assets.ts';
import { MARK, Mark } from './icon.tsx';
import { ThemedPicture } from './picture.tsx';
import { DARK_DEVICE } from './site.tsx';
import type { MoreStyles } from './style-sheet.ts';
import type { SiteBrand, Theme } from './viewer.ts';

const LIGHT_DEVICE = '(prefers-color-scheme: light)';

export const MANIFEST_PATH = '/manifest.webmanifest';

interface BrandLinksProps {
  readonly brand: SiteBrand;
  readonly theme: Theme | null;
  /** The style sheet that the page needs besides the one of all pages. */
  readonly moreStyles: MoreStyles | null;
}

export const BrandLinks = ({ brand: { name, accent, icon }, theme, moreStyles }: BrandLinksProps) => (
  <>
    <meta name="application-name" content={name} />
    <meta property="og:site_name" content={name} />
    {theme !== 'dark' && (
      <meta
        name="theme-color"
        media={theme === null ? LIGHT_DEVICE : undefined}
        content={accentsOf(accent).light.accent}
      />
    )}
    {theme !== 'light' && (
      <meta name="theme-color" media={theme === null ? DARK_DEVICE : undefined} content={DARK.paper} />
    )}
    {icon === null ? (
      <>
        <link rel="icon" href={iconOf(accent).path} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={TOUCH_ICON_PATH} />
      </>
    ) : (
      <IconLinks icon={icon} />
    )}
    <link rel="manifest" href={MANIFEST_PATH} />
    <link rel="stylesheet" href={STYLE_SHEET.path} />
    {moreStyles !== null && <link rel="stylesheet" href={MORE_STYLE_SHEETS[moreStyles].path} />}
    {accent !== null && <link rel="stylesheet" href={accentSheet(accent).path} />}
  </>
);

/** Icons in tabs follow the device, as the browser does. */
const IconLinks = ({ icon: { light, dark } }: { icon: ThemedFiles }) => {
  const link = (files: ThemedFiles['light'], media?: string) =>
    filesOf(files, 'png')
      .slice(0, 2)
      .map(({ name, width, height }) => (
        <link
          rel="icon"
          href={picturePath(name)}
          type="image/png"
          sizes={`${width}x${height}`}
          media={media}
        />
      ));
  return (
    <>
      {dark === null ? link(light) : [...link(light, LIGHT_DEVICE), ...link(dark, DARK_DEVICE)]}
      <link rel="apple-touch-icon" href={largestIconOf({ light, dark })} />
    </>
  );
};

const LOGO = { height: 32, most: 200 };
const ICON = { height: 28, most: 28 };

export const BrandLink = (props: { brand: Pick<SiteBrand, 'name' | 'logo' | 'icon'>; href: string }) => {
  const { name, logo, icon } = props.brand;
  return (
    <a class="brand" href={props.href}>
      {logo === null ? (
        <>
          {icon === null ? <Mark /> : <ThemedPicture picture={icon} alt="" {...ICON} />}
          <span dir="auto">{name}</span>
        </>
      ) : (
        <ThemedPicture picture={logo} alt={name} {...LOGO} />
      )}
    </a>
  );
};

/** The size in pixels that Apple's devices show. */
const TOUCH_ICON_SIZE = 180;
const TOUCH_ICON_MARGIN = 30;

/** The default icon. Its background is opaque, because the home screen would show a transparent one in black. */
export function touchIconSvg(accent: string | null): string {
  const scale = (TOUCH_ICON_SIZE - 2 * TOUCH_ICON_MARGIN) / 32;
  const at = `translate(${TOUCH_ICON_MARGIN} ${TOUCH_ICON_MARGIN}) scale(${scale})`;
  const size = `width="${TOUCH_ICON_SIZE}" height="${TOUCH_ICON_SIZE}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="${LIGHT.paper}"/><g transform="${at}" fill="${accentsOf(accent).light.accent}">${MARK}</g></svg>`;
}

const MAX_SHORT_NAME_LENGTH = 12;

/**
 * The path to which `/favicon.ico` redirects, for clients that don't read the icon links of a page, or can't show an
 * SVG.
 */
export const faviconOf = ({ icon }: Pick<SiteBrand, 'icon'>): string =>
  icon === null ? TOUCH_ICON_PATH : picturePath(filesOf(icon.light, 'png')[0]!.name);

/** The largest PNG of an uploaded icon. */
export const largestIconOf = ({ light }: ThemedFiles): string =>
  picturePath(filesOf(light, 'png').at(-1)!.name);

export const manifestOf = ({ name, language, accent, icon }: SiteBrand): object => ({
  name,
  lang: language,
  ...([...name].length <= MAX_SHORT_NAME_LENGTH && { short_name: name }),
  start_url: '/',
  display: 'browser',
  theme_color: accentsOf(accent).light.accent,
  background_color: LIGHT.paper,
  icons:
    icon === null
      ? [
          { src: iconOf(accent).path, type: 'image/svg+xml', sizes: 'any' },
          { src: TOUCH_ICON_PATH, type: PICTURE_TYPES.png, sizes: `${TOUCH_ICON_SIZE}x${TOUCH_ICON_SIZE}` },
        ]
      : filesOf(icon.light, 'png').map((file) => ({
          src: picturePath(file.name),
          type: PICTURE_TYPES.png,
          sizes: `${file.width}x${file.height}`,
        })),
});
