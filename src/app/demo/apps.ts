/** The demo's apps. */

export const DEMO_DAYS = 90;

/** Slug of Lumen Notes. `claimcheck demo` creates test claims on the first offer of this listing. */
export const NOTES = 'lumen-notes';
/** Slug of the listing that is for members only. */
export const CLUB = 'darkroom';

interface DemoListing {
  /** The owner's key in `OWNERS`. */
  readonly owner: string;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly category: string;
  readonly summary: string;
  readonly description: string;
  /** Default: everybody may see it. */
  readonly visibility?: 'members';
}

const LISTINGS: readonly DemoListing[] = [
  {
    owner: 'lumen',
    slug: NOTES,
    name: 'Lumen Notes',
    url: 'https://notes.lumen.example',
    category: 'Writing',
    summary: 'Plain-text notes that find each other, on every device you own.',
    description:
      'Write as you think. Lumen Notes links what belongs together while you type, so that the note from last spring is there when you need it.\n\nYour notes are text files in a folder of your own. They sync end-to-end encrypted, open without a network, and leave with you when you go.',
  },
  {
    owner: 'lumen',
    slug: 'lumen-photos',
    name: 'Lumen Photos',
    url: 'https://photos.lumen.example',
    category: 'Photography',
    summary: 'The family album that everyone adds to, and that prints well.',
    description:
      'One album for the whole family: grandparents watch on the television, cousins add pictures from their phones, and nobody needs a social network.\n\nOnce a year it becomes a book. Choose the pictures, or let Lumen suggest the two hundred that tell the story of the year.',
  },
  {
    owner: 'brightside',
    slug: 'brightside',
    name: 'Brightside',
    url: 'https://app.brightside.example',
    category: 'Newsletters',
    summary: 'A calm editor for newsletters that people read to the end.',
    description:
      'Brightside counts what matters: who reached the last line, and where the others left.\n\nWrite in one column, see how it looks in every mail program, and send from your own address. No tracking pixels.',
  },
  {
    owner: 'nordlys',
    slug: 'marginalia',
    name: 'Marginalia',
    url: 'https://marginalia.nordlys.example',
    category: 'Writing',
    summary: 'Notes in the margins of books, articles and PDFs.',
    description:
      'Underline a sentence, answer the author, and find your answer again years later. Marginalia keeps the page next to the note.\n\nReads EPUB, PDF and the web, and exports everything as plain text.',
  },
  {
    owner: 'quince',
    slug: 'quire',
    name: 'Quire',
    url: 'https://quire.quince.example',
    category: 'Writing',
    summary: 'A quiet place to write something long.',
    description:
      'Chapters on the left, one page in the middle, nothing else. Quire counts words only when you ask.\n\nPrints a manuscript as publishers expect it.',
  },
  {
    owner: 'polder',
    slug: 'contact-sheet',
    name: 'Contact Sheet',
    url: 'https://contact-sheet.polder.example',
    category: 'Photography',
    summary: 'Choose the forty good pictures out of four thousand.',
    description:
      'Contact Sheet puts similar pictures side by side, as sharp as they are, and remembers why you chose one.\n\nWorks with raw files of two hundred cameras. Your pictures stay on your disk.',
  },
  {
    owner: 'nordlys',
    slug: 'night-sky',
    name: 'Night Sky',
    url: 'https://night-sky.nordlys.example',
    category: 'Photography',
    summary: 'When to go out, and how long to expose.',
    description:
      'Clouds, moon and darkness for the next ten nights, at the place where you are going.\n\nA calculator for stars as points or as trails.',
  },
  {
    owner: 'quince',
    slug: 'morning-post',
    name: 'Morning Post',
    url: 'https://morning-post.quince.example',
    category: 'Newsletters',
    summary: 'All your newsletters in one edition, at breakfast.',
    description:
      'Subscribe with a separate address. Morning Post collects your newsletters in one quiet edition and archives what you have read.',
  },
  {
    owner: 'polder',
    slug: 'footnote',
    name: 'Footnote',
    url: 'https://footnote.polder.example',
    category: 'Newsletters',
    summary: 'Answers from your readers, next to the paragraph they are about.',
    description:
      'Readers answer a paragraph by mail. You see the answers where they belong, and choose which ones appear in the web edition.',
  },
  {
    owner: 'polder',
    slug: 'tessera',
    name: 'Tessera',
    url: 'https://tessera.polder.example',
    category: 'Design',
    summary: 'Draw one tile, get a pattern that never shows its seam.',
    description:
      'Seventeen symmetries, one pen. Tessera repeats as you draw.\n\nExports SVG, wallpaper and fabric by the metre.',
  },
  {
    owner: 'quince',
    slug: 'swatchbook',
    name: 'Swatchbook',
    url: 'https://swatchbook.quince.example',
    category: 'Design',
    summary: 'Palettes that still work for people who see colours differently.',
    description:
      'Start from a photo. Swatchbook checks every pair of colours for contrast, in light and in dark, and names the ones that fail.',
  },
  {
    owner: 'nordlys',
    slug: 'vokabel',
    name: 'Vokabel',
    url: 'https://vokabel.nordlys.example',
    category: 'Learning',
    summary: 'Ten words a day, from what you read anyway.',
    description:
      'Tap a word in an article and meet it again tomorrow, next week and next month.\n\nTwenty-three languages, without points, streaks or owls.',
  },
  {
    owner: 'polder',
    slug: 'chord-garden',
    name: 'Chord Garden',
    url: 'https://chord-garden.polder.example',
    category: 'Learning',
    summary: 'Learn harmony by moving it around with your hands.',
    description:
      'Plant a chord and hear what grows well next to it. Chord Garden listens to your piano or guitar and shows what you played.',
  },
  {
    owner: 'polder',
    slug: 'field-guide',
    name: 'Field Guide',
    url: 'https://field-guide.polder.example',
    category: 'Learning',
    summary: 'Which bird was that? Works without a signal.',
    description:
      'Nine hundred birds of Europe, their songs, and a microphone that tells the two warblers apart.\n\nYour sightings are yours: export them, or share them with a count in your area.',
  },
  {
    owner: 'polder',
    slug: CLUB,
    name: 'Darkroom',
    url: 'https://darkroom.polder.example',
    category: 'Photography',
    summary: 'Shared darkrooms for photo clubs, by the hour.',
    description:
      'Enlargers, chemistry and running water in nine cities. Book an hour, open the door with your phone, and hang your prints to dry until tomorrow.\n\nFor members of photo clubs.',
    visibility: 'members',
  },
  {
    owner: 'lumen',
    slug: 'lumen-sketch',
    name: 'Lumen Sketch',
    url: 'https://sketch.lumen.example',
    category: 'Design',
    summary: 'Draw next to your notes, with a pen or a finger.',
    description:
      'Sketch on a page of any size and drop it into a note. Lines stay lines: change their weight and colour years later.',
  },
  {
    owner: 'brightside',
    slug: 'brightside-fonts',
    name: 'Brightside Fonts',
    url: 'https://fonts.brightside.example',
    category: 'Design',
    summary: 'Twelve typefaces made for reading mail.',
    description: 'Twelve families, tested in forty mail programs, with fallbacks that keep your line breaks.',
  },
];

const LATER_APPS: readonly string[] = [CLUB, 'lumen-sketch', 'brightside-fonts'];

/** Apps that are live from the demo's first day. */
export const LIVE_APPS = LISTINGS.map(({ slug }) => slug).filter((slug) => !LATER_APPS.includes(slug));

export const listingOf = (slug: string): DemoListing => LISTINGS.find((listing) => listing.slug === slug)!;
