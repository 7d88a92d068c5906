import type { Evidence, Status } from '../../model/index.ts';

export type Language = 'en' | 'zh-TW';

/** One commit of the burn-down. */
export interface HistoryPoint {
  commit: string;
  /** ISO date or date-time. */
  date: string;
  untagged: number;
  legacy: number;
  total: number;
}

export interface Forecast {
  /** ISO date at which nothing is left at the present pace; null when that is never. */
  date: string | null;
  /** Loops done a week. */
  perWeek: number | null;
}

/** What the formats of `looptag status` show. */
export interface StatusReport {
  status: Status;
  /** Oldest first. */
  history?: readonly HistoryPoint[];
  forecast?: Forecast | null;
  /** What was read about each loop and where, by site id. */
  evidence?: Readonly<Record<string, readonly Evidence[]>>;
  /** Date and commit that the report speaks of; left out when the caller wants a reproducible text. */
  asOf?: { date: string; commit: string | null };
}
