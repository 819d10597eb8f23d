-- For wrk: a stream of POST /v1/contacts, each with a key and an e-mail address that nobody used before. The last line it
-- prints is for bench/run: requests per second, p50 and p99 in ms, answers that were no 2xx, socket errors.
local prefix, count, head, body_head, body_tail

function init(args)
    local token = args[1]
    prefix, count = args[2], 0
    head = "POST /v1/contacts HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer " .. token ..
        "\r\nContent-Type: application/json\r\nContent-Length: "
    body_head = '{"name":"Ada Lovelace","phone":"+49 30 1234567","tags":["customer","berlin"],"custom":{"source":"fair"},"email":"'
    body_tail = '@example.org"}'
end

function request()
    count = count + 1
    local key = prefix .. count
    local body = body_head .. key .. body_tail
    return head .. #body .. "\r\nIdempotency-Key: " .. key .. "\r\n\r\n" .. body
end

function done(summary, latency, requests)
    local errors = summary.errors
    print(string.format("RESULT %.0f %.2f %.2f %d %d", summary.requests / summary.duration * 1e6,
        latency:percentile(50) / 1000, latency:percentile(99) / 1000, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout))
end
