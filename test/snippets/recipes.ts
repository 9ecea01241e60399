/** The documentation’s recommended page for each framework, run as a separate server. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  JACKSON,
  javaCommand,
  missingCommand,
  phpMisses,
  pythonWith,
  type Runnable,
  rubyHas,
  SPRING,
} from './runtimes.ts';
import type { Trial } from './trial.ts';
import { SERVERS } from './workshop.ts';

export interface Recipe extends Runnable {
  /** True if the framework rejects a form without a valid CSRF token. */
  readonly guardsForms: boolean;
  /** Prepares a server and returns the command that starts it. The server listens on the PORT in its environment. */
  prepare(trial: Trial): Promise<{ readonly command: readonly string[] }>;
}

/** Copies files from `docs/snippets/` to paths in the trial's folder. */
function insert({ setting, folder }: Trial, places: Readonly<Record<string, string>>): void {
  for (const [file, to] of Object.entries(places)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(setting.workshop.pathOf('right', file), join(folder, to));
  }
}

/** Copies a server into the trial's folder, and returns its path. */
function insertServer({ folder }: Trial, name: string): string {
  copyFileSync(join(SERVERS, name), join(folder, name));
  return join(folder, name);
}

const onNode = (title: string, file: string): Recipe => ({
  title,
  guardsForms: false,
  missing: null,
  prepare: async ({ setting }) => ({ command: [process.execPath, setting.workshop.pathOf('right', file)] }),
});

const FLASK = pythonWith('flask');
const DJANGO = pythonWith('django');
const LARAVEL = '/usr/share/php/Illuminate/autoload.php';

export const RECIPES: readonly Recipe[] = [
  onNode('Express', 'page-express.mjs'),
  {
    ...onNode('Express with uncaught rejections, like Express 4', 'page-express.mjs'),
    prepare: async ({ setting }) => ({
      command: [
        process.execPath,
        `--import=${join(SERVERS, 'express-4.js')}`,
        setting.workshop.pathOf('right', 'page-express.mjs'),
      ],
    }),
  },
  onNode('Hono', 'page-hono.mjs'),
  {
    title: 'Next.js',
    guardsForms: false,
    missing: null,
    prepare: async ({ setting }) => ({
      command: [process.execPath, join(SERVERS, 'next.js'), setting.workshop.pathOf('right', 'page-next.ts')],
    }),
  },
  {
    title: 'Django',
    guardsForms: true,
    missing: DJANGO === null ? 'python3-django' : null,
    prepare: async (trial) => {
      insert(trial, { 'page-django.py': 'shop/views.py', 'claimcheck.py': 'shop/claimcheck.py' });
      return { command: [DJANGO!, '-B', insertServer(trial, 'django_server.py')] };
    },
  },
  {
    title: 'Flask',
    guardsForms: false,
    missing: FLASK === null ? 'python3-flask' : null,
    prepare: async (trial) => {
      insert(trial, { 'page-flask.py': 'app.py', 'claimcheck.py': 'claimcheck.py' });
      return { command: [FLASK!, '-B', insertServer(trial, 'flask_server.py')] };
    },
  },
  {
    title: 'PHP without a framework',
    guardsForms: false,
    missing: phpMisses('curl'),
    prepare: async (trial) => {
      insert(trial, { 'page-php.php': 'welcome.php', 'claimcheck.php': 'claimcheck.php' });
      const page = join(trial.folder, 'welcome.php');
      return { command: ['php', '-S', `127.0.0.1:${trial.env['PORT']}`, page] };
    },
  },
  {
    title: 'Laravel',
    guardsForms: true,
    missing: phpMisses('curl') ?? (existsSync(LARAVEL) ? null : 'php-laravel-framework'),
    prepare: async (trial) => {
      insert(trial, { 'page-laravel.php': 'WelcomeController.php', 'claimcheck.php': 'claimcheck.php' });
      const server = insertServer(trial, 'laravel_server.php');
      return { command: ['php', '-S', `127.0.0.1:${trial.env['PORT']}`, server] };
    },
  },
  {
    title: 'Rails',
    guardsForms: true,
    missing: missingCommand('ruby') ?? (rubyHas('railties') ? null : 'ruby-railties'),
    prepare: async (trial) => {
      insert(trial, { 'page-rails.rb': 'welcome_controller.rb', 'claimcheck.rb': 'claimcheck.rb' });
      return { command: ['ruby', insertServer(trial, 'rails_server.rb')] };
    },
  },
  {
    title: 'Spring',
    guardsForms: false,
    missing:
      missingCommand('javac') ??
      (SPRING === null || JACKSON === null ? 'libspring-web-servlet-java, libtomcat9-java' : null),
    prepare: async ({ setting, folder }) => ({
      command: [...javaCommand(await setting.workshop.compiledJava(), 'Server'), folder],
    }),
  },
];
