#!/usr/bin/env node
import '../dist/looptag.js';
