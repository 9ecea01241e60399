/** The process's metrics, in the Prometheus text format. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

export type Metrics = ReturnType<typeof createMetrics>;

let processRegistry: Registry | undefined;

/** One per process, because the timers behind it are never stopped. */
function ofProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** `process`: also report memory, CPU and event loop of this process. */
export function createMetrics(options: { process: boolean } = { process: true }) {
  const registry = new Registry();
  const registers = [registry];
  const reported = options.process ? [registry, ofProcess()] : registers;
  return {
    /** Goes up and down; read at each scrape. */
    gauge(name: string, help: string, read: () => number): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    /** Only grows; read at each scrape. */
    total(name: string, help: string, read: () => number): void {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    /** `buckets`: upper bounds, in the unit that the name ends with. */
    histogram(name: string, help: string, buckets: readonly number[]): (value: number) => void {
      const histogram = new Histogram({ name, help, registers, buckets: [...buckets] });
      return (value) => histogram.observe(value);
    },
    /** Counts each value of one label. */
    counts(name: string, help: string, label: string): (value: string) => void {
      const counter = new Counter({ name, help, registers, labelNames: [label] });
      const children = new Map<string, { inc(): void }>();
      return (value) => children.getOrInsertComputed(value, (name) => counter.labels(name)).inc();
    },
    render: async () => ({
      contentType: registry.contentType,
      text: await Registry.merge(reported).metrics(),
    }),
  };
}
