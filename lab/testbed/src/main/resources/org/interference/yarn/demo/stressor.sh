#!/bin/bash
# Presses on one resource of this machine: stressor.sh cpu|memory|disk|network SECONDS [RECEIVER]
set -eu
resource=$1
seconds=$2
receiver=${3:-}

# Sends to the first of the receiver's servers that is free.
send() {
    local port
    for port in 5201 5202 5203 5204; do
        if iperf3 --client "$receiver" --port "$port" --time "$seconds"; then
            return
        fi
    done
    echo "no server of $receiver is free" >&2
    return 1
}

# iperf3's server and client in one container, over loopback, on a port nobody else listens on.
loopback() {
    local port server
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        port=$((10000 + RANDOM % 20000))
        iperf3 --server --one-off --bind 127.0.0.1 --port "$port" >server.log 2>&1 &
        server=$!
        sleep 0.5
        if kill -0 "$server" 2>/dev/null; then
            iperf3 --client 127.0.0.1 --port "$port" --time "$seconds"
            return
        fi
    done
    echo "no free port found for iperf3" >&2
    return 1
}

case "$resource" in
    cpu) stress-ng --temp-path "$PWD" --cpu 1 --timeout "$seconds" ;;
    memory) stress-ng --temp-path "$PWD" --stream 1 --timeout "$seconds" ;;
    disk)
        fio --name=disk --directory="$PWD" --rw=randrw --bs=16k --size=32m --direct=1 --ioengine=psync \
            --time_based --runtime="$seconds" --unlink=1
        ;;
    network) if [[ -n $receiver ]]; then send; else loopback; fi ;;
    *)
        echo "unknown resource '$resource': must be cpu, memory, disk or network" >&2
        exit 2
        ;;
esac
