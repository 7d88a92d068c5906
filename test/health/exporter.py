"""Plays the background loops of a configuration and exports their gauge, as the heartbeat template does.

    python3 exporter.py --config loops.json --control control.json --port 9000

The control file is read over and over: {"stopped": [...], "zeroed": [...], "removed": [...]}, names of loops.
"""
import argparse
import json
import time

from prometheus_client import Gauge, start_http_server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    parser.add_argument("--control", required=True)
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    with open(options.config, encoding="utf-8") as file:
        config = json.load(file)
    loop_label, project_label = config["labels"]
    gauge = Gauge(config["metric"], "Unix timestamp of last successful loop execution", [loop_label, project_label])
    loops = [(loop["name"], loop["project"], loop["period"]) for loop in config["loops"]]
    due = {}
    for name, project, period in loops:
        gauge.labels(name, project)  # the series exists, at 0
        due[name] = time.monotonic() + period
    start_http_server(options.port, "127.0.0.1")
    removed = set()
    while True:
        with open(options.control, encoding="utf-8") as file:
            control = json.load(file)
        for name, project, period in loops:
            if name in control.get("removed", ()):
                if name not in removed:
                    gauge.remove(name, project)
                    removed.add(name)
                continue
            removed.discard(name)
            if name in control.get("zeroed", ()):
                gauge.labels(name, project).set(0)
            elif name not in control.get("stopped", ()) and time.monotonic() >= due[name]:
                gauge.labels(name, project).set_to_current_time()
                due[name] = time.monotonic() + period
        time.sleep(0.05)


if __name__ == "__main__":
    main()
