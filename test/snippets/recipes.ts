/** The recommended page of the documentation for each framework, as a server of its own. */
import { copyFileSync, existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/program.ts';
import { JACKSON } from './languages.ts';
import {
  compileDotNet,
  compileJava,
  DOT_NET,
  dotNetEnv,
  type Env,
  jars,
  missingCommand,
  phpHas,
  pythonWith,
  type Runnable,
  rubyHas,
} from './runtimes.ts';

const SERVERS = join(REPOSITORY, 'test/snippets/servers');

export interface Recipe extends Runnable {
  /** In `docs/snippets/`: the page, and the program that it imports. */
  readonly file: string;
  readonly program: string;
  /** The framework refuses forms that another site has sent. */
  readonly guardsForms: boolean;
  /** Builds the server from a folder that has both files; it listens on PORT. */
  build(folder: string, env: Env): Promise<Server>;
}

interface Server {
  readonly command: readonly string[];
  readonly env?: Env;
}

const copyServer = (folder: string, name: string): string => {
  copyFileSync(join(SERVERS, name), join(folder, name));
  return join(folder, name);
};

const onNode = (title: string, file: string): Recipe => ({
  title,
  file,
  program: 'claimcheck.js',
  guardsForms: false,
  missing: null,
  build: async (folder) => {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    return { command: [process.execPath, join(folder, file)] };
  },
});

const FLASK = pythonWith('flask');
const DJANGO = pythonWith('django');
const SPRING = jars(
  ...['web', 'web.servlet', 'core', 'beans', 'context', 'aop', 'expression'].map((part) => `spring3-${part}`),
  ...[
    'catalina',
    'coyote',
    'util',
    'util-scan',
    'juli',
    'servlet-api',
    'api',
    'annotations-api',
    'jni',
    'jaspic-api',
  ].map((part) => `tomcat9-${part}`),
  'commons-logging',
);
const LARAVEL = '/usr/share/php/Illuminate/autoload.php';

export const RECIPES: readonly Recipe[] = [
  onNode('Express', 'page-express.js'),
  onNode('Hono', 'page-hono.js'),
  {
    title: 'Next.js',
    file: 'page-next.ts',
    program: 'claimcheck.ts',
    guardsForms: false,
    missing: null,
    build: async (folder) => ({
      command: [process.execPath, join(SERVERS, 'next.js')],
      env: { MODULE: join(folder, 'page-next.ts') },
    }),
  },
  {
    title: 'Django',
    file: 'page-django.py',
    program: 'claimcheck.py',
    guardsForms: true,
    missing: DJANGO === null ? 'python3-django' : null,
    build: async (folder) => {
      mkdirSync(join(folder, 'shop'));
      renameSync(join(folder, 'page-django.py'), join(folder, 'shop/views.py'));
      renameSync(join(folder, 'claimcheck.py'), join(folder, 'shop/claimcheck.py'));
      return { command: [DJANGO!, '-B', copyServer(folder, 'django_server.py')] };
    },
  },
  {
    title: 'Flask',
    file: 'page-flask.py',
    program: 'claimcheck.py',
    guardsForms: false,
    missing: FLASK === null ? 'python3-flask' : null,
    build: async (folder) => {
      renameSync(join(folder, 'page-flask.py'), join(folder, 'app.py'));
      return { command: [FLASK!, '-B', copyServer(folder, 'flask_server.py')] };
    },
  },
  {
    title: 'Laravel',
    file: 'page-laravel.php',
    program: 'claimcheck.php',
    guardsForms: true,
    missing:
      missingCommand('php') ??
      (phpHas('curl') ? null : 'php-curl') ??
      (existsSync(LARAVEL) ? null : 'php-laravel-framework'),
    build: async (folder, { PORT }) => {
      renameSync(join(folder, 'page-laravel.php'), join(folder, 'WelcomeController.php'));
      return { command: ['php', '-S', `127.0.0.1:${PORT}`, copyServer(folder, 'laravel_server.php')] };
    },
  },
  {
    title: 'Rails',
    file: 'page-rails.rb',
    program: 'claimcheck.rb',
    guardsForms: true,
    missing: missingCommand('ruby') ?? (rubyHas('railties') ? null : 'ruby-railties'),
    build: async (folder) => {
      renameSync(join(folder, 'page-rails.rb'), join(folder, 'welcome_controller.rb'));
      return { command: ['ruby', copyServer(folder, 'rails_server.rb')] };
    },
  },
  {
    title: 'ASP.NET',
    file: 'page-aspnet.cs',
    program: 'Claimcheck.cs',
    guardsForms: false,
    missing: DOT_NET === null ? 'dotnet' : null,
    build: async (folder, env) => {
      copyServer(folder, 'Server.cs');
      const files = ['Server.cs', 'page-aspnet.cs', 'Claimcheck.cs'];
      const frameworks = ['Microsoft.AspNetCore.App', 'Microsoft.NETCore.App'];
      return { command: await compileDotNet(folder, files, frameworks, env), env: dotNetEnv(folder) };
    },
  },
  {
    title: 'Spring',
    file: 'page-spring.java',
    program: 'Claimcheck.java',
    guardsForms: false,
    missing:
      missingCommand('javac') ??
      (SPRING === null || JACKSON === null ? 'libspring-web-servlet-java, libtomcat9-java' : null),
    build: async (folder, env) => {
      copyServer(folder, 'Server.java');
      renameSync(join(folder, 'page-spring.java'), join(folder, 'WelcomeController.java'));
      const files = ['Server.java', 'WelcomeController.java', 'Claimcheck.java'];
      const command = await compileJava(folder, files, 'Server', `${SPRING}:${JACKSON}`, env);
      return { command: [...command, folder] };
    },
  },
];
