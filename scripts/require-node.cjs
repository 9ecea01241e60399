// Loaded before the scripts, which are TypeScript. Old versions of Node must be able to parse this file: without the
// install script of the package `node`, npm runs the scripts with the Node that is on the PATH.
const REQUIRED_NODE_MAJOR = 26;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_NODE_MAJOR) {
  console.error(
    `Node ${REQUIRED_NODE_MAJOR} or newer is required, but this is Node ${process.version}. If you installed with --ignore-scripts, run: npm rebuild node`,
  );
  process.exit(1);
}
