import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

export type Metrics = ReturnType<typeof createMetrics>;

interface ReadGauge {
  readonly help: string;
  readonly labels?: readonly string[];
}

type Reading = readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];

let processRegistry: Registry | undefined;

/** One per process, because the timers behind it are never stopped. */
function ofProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** `process`: whether to report memory, CPU and event loop of this process. */
export function createMetrics(options: { process: boolean } = { process: true }) {
  const registry = new Registry();
  const registers = [registry];
  const reported = options.process ? [registry, ofProcess()] : registers;
  const readers: (() => Promise<void>)[] = [];
  return {
    /** Adds a value that is read at each scrape and goes up and down. */
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
    /** Adds a value that is read at each scrape and only grows. */
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
    /** `known`: values reported as 0 from the start, so that a first count is an increase. */
    counts(
      name: string,
      help: string,
      label: string,
      known: readonly string[] = [],
    ): (value: string) => void {
      const counter = new Counter({ name, help, registers, labelNames: [label] });
      for (const value of known) counter.labels(value).inc(0);
      const children = new Map<string, { inc(): void }>();
      return (value) => children.getOrInsertComputed(value, (name) => counter.labels(name)).inc();
    },
    /** A gauge that is always 1; its labels say what runs here. */
    info(name: string, help: string, labels: Readonly<Record<string, string>>): void {
      new Gauge({ name, help, registers, labelNames: Object.keys(labels) }).set({ ...labels }, 1);
    },
    /** Adds gauges that are read together at each scrape. If reading fails, `isRead` is 0 and they have no values. */
    readings<Name extends string>(
      isRead: { readonly name: string; readonly help: string },
      gauges: Readonly<Record<Name, ReadGauge>>,
      read: () => Promise<Readonly<Record<Name, Reading>>>,
    ): void {
      const success = new Gauge({ ...isRead, registers });
      const made = new Map(
        (Object.entries(gauges) as [Name, ReadGauge][]).map(([name, { help, labels = [] }]) => [
          name,
          new Gauge({ name, help, registers, labelNames: labels }),
        ]),
      );
      readers.push(async () => {
        const found = await read().catch(() => null);
        success.set(found === null ? 0 : 1);
        for (const [name, gauge] of made) {
          gauge.reset();
          // A gauge without labels would report 0 after a reset.
          if (gauges[name].labels === undefined) gauge.remove();
          for (const { labels = {}, value } of found?.[name] ?? []) gauge.set({ ...labels }, value);
        }
      });
    },
    render: async () => {
      await Promise.all(readers.map((read) => read()));
      return { contentType: registry.contentType, text: await Registry.merge(reported).metrics() };
    },
  };
}
