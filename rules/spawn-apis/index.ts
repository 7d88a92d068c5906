import aiojobs from './aiojobs/index.ts';
import anyio from './anyio/index.ts';
import apscheduler from './apscheduler/index.ts';
import asyncio from './asyncio/index.ts';
import starlette from './starlette/index.ts';
import trio from './trio/index.ts';

export const spawnApis = [aiojobs, anyio, apscheduler, asyncio, starlette, trio];
