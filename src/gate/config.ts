// What the gate's file says, read and checked.

export interface GateConfig {
  /** Latchkey's base URL. */
  readonly issuer: string;
  readonly listen: ListenAddress;
  /** Where Prometheus gets the metrics; undefined for nowhere. */
  readonly metrics: ListenAddress | undefined;
  /** Where the session file is. */
  readonly dataDir: string;
  readonly keyFile: string;
  /** IP addresses and networks in CIDR notation. */
  readonly trustedProxies: readonly string[];
  readonly recheckSeconds: number;
  readonly graceSeconds: number;
  readonly sessionHours: number;
  readonly applications: readonly GateApplication[];
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface GateApplication {
  /** In lower case, with its port unless that's the scheme's own. */
  readonly host: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Patterns of paths: exact, or with a `*` at the end. */
  readonly open: readonly string[];
  readonly programs: readonly string[];
  /** The claim that each identity header has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly require: readonly Requirement[];
}

/** Limits these paths to people with one of the values in the claim. */
export interface Requirement {
  readonly paths: readonly string[];
  readonly claim: string;
  readonly values: readonly string[];
}
