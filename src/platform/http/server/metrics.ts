import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

export type Metrics = ReturnType<typeof createMetrics>;

interface ReadGauge {
  readonly help: string;
  readonly labels?: readonly string[];
}

type Reading = readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];

let processRegistry: Registry | undefined;

/** One per process, because `collectDefaultMetrics` starts timers that never stop. */
function ofProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** `process`: whether to report the memory, CPU and event loop of this process. */
export function createMetrics(options: { process: boolean } = { process: true }) {
  const registry = new Registry();
  const registers = [registry];
  const reported = options.process ? [registry, ofProcess()] : registers;
  const readers: (() => Promise<void>)[] = [];
  return {
    /** Adds a gauge. `read` is called at each scrape. */
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
    /** Adds a counter. `read` is called at each scrape and returns the total. */
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
    /** `buckets`: upper bounds of the buckets, in the unit with which the metric's name ends. */
    histogram(name: string, help: string, buckets: readonly number[]): (value: number) => void {
      const histogram = new Histogram({ name, help, registers, buckets: [...buckets] });
      return (value) => histogram.observe(value);
    },
    /** `labelValues`: reported as 0 from the start, so that the first count shows as an increase. */
    counts(
      name: string,
      help: string,
      label: string,
      labelValues: readonly string[] = [],
    ): (value: string) => void {
      const counter = new Counter({ name, help, registers, labelNames: [label] });
      for (const value of labelValues) counter.labels(value).inc(0);
      const children = new Map<string, { inc(): void }>();
      return (value) => children.getOrInsertComputed(value, (name) => counter.labels(name)).inc();
    },
    /** Adds a gauge that is always 1. Its labels contain the information. */
    info(name: string, help: string, labels: Readonly<Record<string, string>>): void {
      new Gauge({ name, help, registers, labelNames: Object.keys(labels) }).set({ ...labels }, 1);
    },
    /** Gauges that are read together at each scrape. If `read` fails, `isRead` is 0 and they have no values. */
    readings<Name extends string>(
      isRead: { readonly name: string; readonly help: string },
      gauges: Readonly<Record<Name, ReadGauge>>,
      read: () => Promise<Readonly<Record<Name, Reading>>>,
    ): void {
      const success = new Gauge({ ...isRead, registers });
      const gaugesByName = new Map(
        (Object.entries(gauges) as [Name, ReadGauge][]).map(([name, { help, labels = [] }]) => [
          name,
          new Gauge({ name, help, registers, labelNames: labels }),
        ]),
      );
      readers.push(async () => {
        const readings = await read().catch(() => null);
        success.set(readings === null ? 0 : 1);
        for (const [name, gauge] of gaugesByName) {
          gauge.reset();
          // A gauge without labels would report 0 after a reset.
          if (gauges[name].labels === undefined) gauge.remove();
          for (const { labels = {}, value } of readings?.[name] ?? []) gauge.set({ ...labels }, value);
        }
      });
    },
    render: async () => {
      await Promise.all(readers.map((read) => read()));
      return { contentType: registry.contentType, text: await Registry.merge(reported).metrics() };
    },
  };
}
