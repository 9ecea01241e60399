import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { verdictOf } from '../../scripts/advisories.ts';
import { NATIVE_LIBRARIES } from '../../scripts/bundle.ts';
import { FILES_ELSEWHERE } from '../../src/pages/docs/guide.ts';

test('npm run bench starts the benchmark program', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { bench: string } };
  const [program] = /(?<=\bnode )\S+/.exec(scripts.bench) ?? [];
  const help = execFileSync(process.execPath, [program!, '--help'], { encoding: 'utf8' });
  expect(help).toContain('embedded-redeem');
});

test('the Docker build has every file that the build script reads', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { build: string } };
  const [, ...started] = /\bnode -r \.\/(\S+) (\S+)/.exec(scripts.build) ?? [];
  const code = readFileSync(started[1]!, 'utf8');
  const imported = [...code.matchAll(/from '\.\/(.+)'/g)].map(([, name]) => `scripts/${name}`);
  const settings = imported.flatMap((file) => readFileSync(file, 'utf8').match(/tsconfig\S*\.json/g) ?? []);
  const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  );
  const sent = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(imported).not.toEqual([]);
  expect(settings).not.toEqual([]);
  for (const file of [...started, ...imported, ...settings]) {
    expect(copied).toContain(file);
    expect(sent).toContain(`!${file}`);
  }
});

test('the image contains the native libraries that are not bundled, and their dependencies', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, { dependencies?: object; optionalDependencies?: object }>>;
  };
  const needed = new Set(NATIVE_LIBRARIES);
  const folders = new Set<string>();
  for (const name of needed) {
    const { dependencies = {}, optionalDependencies = {} } = packages[`node_modules/${name}`]!;
    for (const other of Object.keys(dependencies)) needed.add(other);
    // Optional dependencies are packages for one platform; the image contains the installed ones.
    for (const path of [name, ...Object.keys(optionalDependencies)]) {
      folders.add(path.replace(/^(@[^/]+)\/.*/, '$1'));
    }
    // The Dockerfile would not copy a second version in a nested folder.
    expect(Object.keys(packages).filter((path) => path.startsWith(`node_modules/${name}/`))).toEqual([]);
  }
  const copied = [
    ...readFileSync('Dockerfile', 'utf8').matchAll(
      /^COPY --from=build \/app\/node_modules\/(\S+) node_modules\/\1$/gm,
    ),
  ].map(([, folder]) => folder);
  expect(copied.sort()).toEqual([...folders].sort());
});

test('the image contains all source files of the documentation', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const sent = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(dockerfile).toMatch(/^COPY docs docs$/m);
  for (const path of ['docs/guide', 'docs/snippets', ...Object.values(FILES_ELSEWHERE)]) {
    expect(sent).toContain(`!${path}`);
    if (!path.startsWith('docs/')) expect(dockerfile).toContain(` ${path} `);
  }
});

test('npm run advisories exits with 1 if it finds vulnerabilities, and with 2 if the registry does not answer', () => {
  const notCovered = expect.stringMatching(/^Not covered: packages that .* does not know, Node, PostgreSQL,/);
  expect(verdictOf('{"vulnerabilities":{},"metadata":{"dependencies":{"total":570}}}')).toEqual({
    exitCode: 0,
    sentences: ['No known vulnerabilities in the 570 locked packages.', notCovered],
  });
  const weak = '{"vulnerabilities":{"left-pad":{"severity":"high","range":"<1.3.0"}}}';
  expect(verdictOf(weak)).toEqual({ exitCode: 1, sentences: ['left-pad <1.3.0: high', notCovered] });
  for (const output of [
    '',
    '<html>',
    '{"message":"405 Method Not Allowed"}',
    '{"error":{"summary":"offline"}}',
  ]) {
    const { exitCode, sentences } = verdictOf(output);
    expect(exitCode).toBe(2);
    expect(sentences[0]).toMatch(/^Nothing was checked: the registry did not answer/);
  }
});

test('a script that an old Node cannot read says which Node it needs', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  // `build` and the start of a service check the version first.
  const unchecked = Object.entries(scripts).filter(
    ([, command]) =>
      /^(?:exec env \S+ )?(?:node|vitest)\b/.test(command) &&
      !command.startsWith('node -r ./scripts/require-node.cjs '),
  );
  expect(unchecked.map(([name]) => name)).toEqual(['start']);
  expect(scripts['prestart']).toContain('require-node.cjs');
});

test('Node reads no option after its own, or it would read the file that --env-file names', () => {
  for (const file of ['package.json', 'Dockerfile', 'bin/claimcheck.js']) {
    const starts = [...readFileSync(file, 'utf8').matchAll(/--max-old-space-size=1024(.*)/g)];
    expect(starts).not.toEqual([]);
    for (const [start, rest] of starts) expect(rest, start).toMatch(/^(?:", ")? ?--(?: |"|$)/);
  }
});

test('every start of the program limits the memory that malloc() and the garbage collector leave unused', () => {
  const count = (file: string, text: string) => readFileSync(file, 'utf8').split(text).length - 1;
  for (const file of ['package.json', 'Dockerfile', 'bin/claimcheck.js', 'bench/setup/installation.ts']) {
    const setting = file.endsWith('.ts') ? "MALLOC_ARENA_MAX = '1'" : 'MALLOC_ARENA_MAX=1';
    const starts = count(file, setting);
    expect(starts, file).toBeGreaterThan(0);
    for (const option of ['--max-semi-space-size=8', '--max-old-space-size=1024']) {
      expect(count(file, option), `${file} ${option}`).toBe(starts);
    }
  }
});

test('the health check of the image passes only if /readyz returns 200', async () => {
  const [, command = ''] =
    /^HEALTHCHECK [\s\S]*?CMD (\[.+\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const [shell, ...args] = JSON.parse(command) as [string, ...string[]];
  let status = 200;
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end('ready\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  const check = async () => {
    const child = spawn(shell, args, { env: { PATH: process.env['PATH'], PORT } });
    const [code] = await once(child, 'exit');
    return code;
  };
  expect(await check()).toBe(0);
  status = 503;
  expect(await check()).toBe(1);
  server.close();
  await once(server, 'close');
  expect(await check()).toBe(1);
});

test('the images in Dockerfile and compose.postgres.yaml are pinned by digest', () => {
  const named = [
    ...readFileSync('Dockerfile', 'utf8').matchAll(/^(?:ARG NODE_IMAGE=|FROM )([^$\s]+)/gm),
    ...readFileSync('compose.postgres.yaml', 'utf8').matchAll(/^\s+image: ([^$\s]\S+)/gm),
  ].map(([, image]) => image!);
  expect(named).toHaveLength(2);
  for (const image of named) expect(image).toMatch(/^[a-z]+:\d[\w.-]*@sha256:[0-9a-f]{64}$/);
});
