# Settings by their former names are read, with a note.
warpscape area bypass-gtx480 -s l1d.bypass.policy=ccws -f csv | grep throttle
warpscape area bypass-gtx480 -s l1d.bypass.policy=pdp -s l1d.bypass.throttle=yes -f csv | grep -E 'throttle|bypass'
warpscape area bypass-gtx480 -s l1d.bypass.throttle=often
warpscape params l1d.bypass.throttle
warpscape params scheduler.throttle
