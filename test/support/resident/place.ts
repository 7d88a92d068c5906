/** Where the resident of one worker is asked, and answers. A request and its answer are files named by its number. */
import { join } from 'node:path';

export interface Place {
  /** Where the files lie. */
  folder: string;
  /** Named pipes: the number of a request that lies ready, and of one that is answered. */
  requests: string;
  answers: string;
  /** Its process id. */
  pid: string;
}

export function placeOf(folder: string, worker: number): Place {
  const at = (name: string): string => join(folder, `${worker}.${name}`);
  return {
    folder,
    requests: at('requests'),
    answers: at('answers'),
    pid: at('pid'),
  };
}
